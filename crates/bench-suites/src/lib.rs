//! The bundled benchmarks: published data from a path that the user gives, queried through the engine operations that
//! every interface uses, and scored without a judge.
//!
//! An [`exam`] is a folder of notes with questions whose evidence is known; sources make exams
//! ([`locomo`], [`longmemeval`], [`beir`], [`suite`], [`rot`], [`generated`]), an [`examiner`] lays each out on a [`ground`], asks and scores, and a
//! [`manifest`] holds what came out with everything that is needed to repeat it.
//! [`extract`] replays labelled conversations and reviews them, and [`week`] replays a week.
//! Invariant: this crate ranks nothing, opens no connection of its own, and writes no file except `--out`.
//! Reading order: [`exam`], [`locomo`], [`layout`], [`passages`], [`documents`], [`ground`], [`examiner`],
//! [`tally`], [`figure`], [`manifest`], [`compare`], [`run`] (all of it, by the name of a benchmark).

pub mod beir;
pub mod compare;
pub mod documents;
pub mod exam;
pub mod examiner;
pub mod extract;
pub mod figure;
pub mod generated;
pub mod ground;
pub mod layout;
pub mod locomo;
pub mod longmemeval;
pub mod machine;
pub mod manifest;
pub mod passages;
pub mod rot;
pub mod run;
pub mod source;
pub mod suite;
pub mod table;
pub mod tally;
pub mod times;
pub mod week;
