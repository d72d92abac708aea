//! Idle connections, and clients that send their headers one byte a second: others are answered, and slow ones are closed.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use inwit_workspace::{RealStopwatch, Stopwatch as _};

use super::{Server, p99_ms, timed, token};
use crate::{Home, Plan, Report};

/// One slow client for so many idle connections.
const IDLE_PER_SLOW: u32 = 10;

/// Seconds until a slow client is closed, with one for its end to arrive.
const SLOW_SECONDS_MAX: u64 = 11;

/// Requests of the healthy client in one second.
const REQUESTS: usize = 50;

/// Most memory of the server, in MB.
const MEMORY_MB_MAX: u64 = 300;

/// Longest answer to the healthy client, in milliseconds.
const ANSWER_MS_MAX: f64 = 250.0;

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    raise_descriptors();
    let home = Home::new("openclaw", "//- SOUL.md\nI am Ada.\n//- MEMORY.md\n- Likes rye bread.\n");
    let owner = token(plan, &home.place, "approve");
    let server = Server::start(plan, &home.place);
    let client = server.client.token(&owner);
    let open = || TcpStream::connect(&server.client.address).expect("a connection");
    // The first answer opens the agent.
    client.get(PATH);
    let idle: Vec<TcpStream> = (0..plan.cases).map(|_| open()).collect();
    let mut slow: Vec<TcpStream> = (0..plan.cases / IDLE_PER_SLOW).map(|_| open()).collect();
    slow.iter_mut().for_each(|stream| {
        let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: ");
    });
    let began = RealStopwatch.elapsed();
    let (mut times, mut memory) = (Vec::new(), 0);
    let mut second = 0;
    while second < SLOW_SECONDS_MAX {
        slow.iter_mut().for_each(|stream| {
            let _ = stream.write_all(b"x");
        });
        for _ in 0..REQUESTS {
            let (took, answer) = timed(|| client.get(PATH));
            times.push(took);
            report.holds(answer.status == 200, || format!("second {second}: {}", answer.text()));
        }
        memory = memory.max(server.memory_mb());
        second += 1;
        let passed = RealStopwatch.elapsed().saturating_sub(began);
        RealStopwatch.wait(Duration::from_secs(second).saturating_sub(passed));
    }
    let left = slow.iter_mut().filter_map(|stream| is_open(stream).then_some(())).count();
    report.holds(left == 0, || format!("{left} slow clients are still connected after {SLOW_SECONDS_MAX} s"));
    report.holds(memory <= MEMORY_MB_MAX, || format!("the server took {memory} MB"));
    let p99 = p99_ms(&mut times);
    report.holds(p99 <= ANSWER_MS_MAX, || format!("a healthy client waited {p99:.0} ms"));
    report.figure("slow clients", slow.len());
    report.figure("answers to a healthy client, p99", format!("{p99:.1} ms"));
    report.figure("memory", format!("{memory} MB"));
    drop(idle);
    report
}

/// What the healthy client reads.
const PATH: &str = "/v1/agents/main/files/MEMORY.md";

/// Whether the server has not closed the connection.
fn is_open(stream: &mut TcpStream) -> bool {
    let _ = stream.set_nonblocking(true);
    let mut bytes = [0; 1024];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return error.kind() == std::io::ErrorKind::WouldBlock,
        }
    }
}

/// Allows this process as many descriptors as the system does.
fn raise_descriptors() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}
