//! Projects by their folders.

use std::collections::{HashMap, HashSet};

use inwit_model::{Code, ProjectName, Sha256};
use inwit_store::MemoryError;
use inwit_store::memory::{Project, Projects};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::SqliteMemory;
use super::fault::{Fault, TxnResult};
use super::row::{Hash, Moment, count, hash, some_moment, some_word, word};

/// Most folders of one name that are distinguished by a number.
const SAME_NAMES_MAX: u32 = 10_000;

impl Projects for SqliteMemory {
    fn project_for(&self, folder: &str, name: &ProjectName) -> Result<ProjectName, MemoryError> {
        self.read(|inner| match at(inner.db, folder)? {
            Some(known) => Ok(known),
            None => free(inner.db, name),
        })
    }

    fn make_project(
        &self,
        folder: &str,
        name: &ProjectName,
        when: Timestamp,
    ) -> Result<ProjectName, MemoryError> {
        if let Some(known) = self.read(|inner| at(inner.db, folder))? {
            return Ok(known);
        }
        self.write(|db| {
            if let Some(known) = at(db, folder)? {
                return Ok(known);
            }
            let free = free(db, name)?;
            put(db, folder, &free, when)?;
            Ok(free)
        })
    }

    fn project_of_entry(&self, entry: &Sha256) -> Result<Option<ProjectName>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT coalesce(marks.project, sessions.project) AS project
                 FROM marks LEFT JOIN sessions ON sessions.id = marks.session WHERE entry = ?1",
            )?;
            let mut rows = query.query([Hash(*entry)])?;
            let name =
                rows.next()?.map(|row| some_word(row, "project", |text| ProjectName::parse(text).ok()));
            name.transpose().map(Option::flatten)
        })
    }

    fn entries_of_projects(&self) -> Result<HashMap<Sha256, ProjectName>, MemoryError> {
        self.read(|inner| {
            let mut query =
                inner.db.prepare_cached("SELECT entry, project FROM marks WHERE project IS NOT NULL")?;
            let mut rows = query.query([])?;
            let mut entries = HashMap::new();
            while let Some(row) = rows.next()? {
                let entry = hash(row, "entry")?;
                entries.insert(entry, word(row, "project", |text| ProjectName::parse(text).ok())?);
            }
            Ok(entries)
        })
    }

    fn map_project(&self, folder: &str, name: &ProjectName, when: Timestamp) -> Result<(), MemoryError> {
        self.write(|db| {
            let before = at(db, folder)?;
            put(db, folder, &now_called(db, name)?, when)?;
            // Logs carry the name. A name without a folder leads to itself, so that no other folder gets it.
            if let Some(before) = before {
                db.prepare_cached(
                    "INSERT INTO project_aliases (alias, project) SELECT ?1, ?1
                     WHERE NOT EXISTS (SELECT 1 FROM projects WHERE project = ?1) ON CONFLICT (alias) DO NOTHING",
                )?
                .execute([before.as_str()])?;
            }
            Ok(())
        })
    }

    fn merge_projects(&self, from: &ProjectName, into: &ProjectName) -> Result<(), MemoryError> {
        self.write(|db| {
            let (from, into) = (now_called(db, from)?, now_called(db, into)?);
            let bad = |message: String| Err(Fault::said(Code::UsageBad, message));
            if from == into {
                return bad(format!("`{from}` and `{into}` are already one project."));
            }
            let names = [from.as_str(), into.as_str()];
            for name in names {
                let is_known: bool = db
                    .prepare_cached("SELECT EXISTS (SELECT 1 FROM projects WHERE project = ?1)")?
                    .query_row([name], |row| row.get(0))?;
                if !is_known {
                    return bad(format!("There is no project `{name}`."));
                }
            }
            for sql in [
                "UPDATE projects SET project = ?2 WHERE project = ?1",
                "UPDATE project_aliases SET project = ?2 WHERE project = ?1",
                "UPDATE sessions SET project = ?2 WHERE project = ?1",
                "UPDATE proposals SET project = ?2 WHERE project = ?1",
                "INSERT INTO project_aliases (alias, project) VALUES (?1, ?2)
                 ON CONFLICT (alias) DO UPDATE SET project = excluded.project",
            ] {
                db.prepare_cached(sql)?.execute(names)?;
            }
            db.prepare_cached("DELETE FROM project_aliases WHERE alias = ?1")?.execute([into.as_str()])?;
            Ok(())
        })
    }

    fn project_now(&self, name: &ProjectName) -> Result<ProjectName, MemoryError> {
        self.read(|inner| now_called(inner.db, name))
    }

    fn projects(&self) -> Result<Vec<Project>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT project, (SELECT count(*) FROM sessions WHERE sessions.project = projects.project) AS sessions,
                     (SELECT max(started_us) FROM sessions WHERE sessions.project = projects.project) AS last_us
                 FROM projects GROUP BY project ORDER BY last_us DESC, project",
            )?;
            let mut rows = query.query([])?;
            let mut projects = Vec::new();
            while let Some(row) = rows.next()? {
                let name = word(row, "project", |text| ProjectName::parse(text).ok())?;
                let folders = texts(
                    inner.db,
                    "SELECT folder FROM projects WHERE project = ?1 ORDER BY number",
                    &name,
                )?;
                let aliases = texts(
                    inner.db,
                    "SELECT alias FROM project_aliases WHERE project = ?1 AND alias <> ?1 ORDER BY alias",
                    &name,
                )?;
                projects.push(Project {
                    folders,
                    aliases: aliases.iter().filter_map(|alias| ProjectName::parse(alias).ok()).collect(),
                    sessions: count(row, "sessions")?,
                    last: some_moment(row, "last_us")?,
                    name,
                });
            }
            Ok(projects)
        })
    }
}

fn texts(db: &Connection, sql: &str, name: &ProjectName) -> TxnResult<Vec<String>> {
    let mut query = db.prepare_cached(sql)?;
    let rows = query.query_map([name.as_str()], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn at(db: &Connection, folder: &str) -> TxnResult<Option<ProjectName>> {
    let read = |row: &Row<'_>| row.get::<_, String>(0);
    let name = db
        .prepare_cached("SELECT project FROM projects WHERE folder = ?1")?
        .query_row([folder], read)
        .optional()?;
    Ok(name.and_then(|name| ProjectName::parse(&name).ok()))
}

fn put(db: &Connection, folder: &str, name: &ProjectName, when: Timestamp) -> TxnResult<()> {
    db.prepare_cached(
        "INSERT INTO projects (folder, project, made_us) VALUES (?1, ?2, ?3)
         ON CONFLICT (folder) DO UPDATE SET project = excluded.project",
    )?
    .execute(params![folder, name.as_str(), Moment(when)])?;
    Ok(())
}

/// What the project of this name is called by now.
fn now_called(db: &Connection, name: &ProjectName) -> TxnResult<ProjectName> {
    let into: Option<String> = db
        .prepare_cached("SELECT project FROM project_aliases WHERE alias = ?1")?
        .query_row([name.as_str()], |row| row.get(0))
        .optional()?;
    Ok(into.and_then(|into| ProjectName::parse(&into).ok()).unwrap_or_else(|| name.clone()))
}

/// The plain form of `name`, or with a number where a project has or had a name of that form.
fn free(db: &Connection, name: &ProjectName) -> TxnResult<ProjectName> {
    let name = &name.plain().unwrap_or_else(|| name.clone());
    let mut query = db.prepare_cached(
        "SELECT project FROM projects UNION SELECT alias FROM project_aliases
         UNION SELECT project FROM project_aliases UNION SELECT project FROM sessions WHERE project IS NOT NULL
         UNION SELECT project FROM proposals WHERE project IS NOT NULL",
    )?;
    let names = query.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
    // Names of before may have any form; in a log they are words like the plain one.
    let plain = names.iter().filter_map(|name| ProjectName::parse(name).ok()?.plain());
    let taken: HashSet<String> = plain.map(|name| name.to_string()).chain(names.iter().cloned()).collect();
    for number in 1..=SAME_NAMES_MAX {
        let tail = if number == 1 { String::new() } else { format!("-{number}") };
        let most = ProjectName::BYTES_MAX - tail.len();
        let head: String = name
            .as_str()
            .chars()
            .scan(0, |bytes, c| {
                *bytes += c.len_utf8();
                (*bytes <= most).then_some(c)
            })
            .collect();
        let Ok(wanted) = ProjectName::parse(&format!("{}{tail}", head.trim_end())) else { continue };
        if !taken.contains(wanted.as_str()) {
            return Ok(wanted);
        }
    }
    Err(Fault::said(Code::UsageBad, format!("More than {SAME_NAMES_MAX} folders are called `{name}`.")))
}
