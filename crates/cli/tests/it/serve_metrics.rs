//! The metrics of the server, read as strictly as the format of Prometheus allows.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};

use crate::serve::{Serving, home, token};

/// The samples of a page, by name with labels, in the text format of Prometheus.
#[track_caller]
fn samples(page: &str) -> BTreeMap<String, f64> {
    assert!(page.ends_with('\n'), "the last line ends");
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let (mut samples, mut families) = (BTreeMap::new(), BTreeSet::new());
    let (mut helped, mut family) = (String::new(), (String::new(), String::new()));
    for line in page.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, text) = help.split_once(' ').expect("a text");
            assert!(is_name(name) && text.ends_with('.') && families.insert(name.to_owned()), "{line}");
            helped = name.to_owned();
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').expect("a type");
            assert!(name == helped && matches!(kind, "counter" | "gauge" | "histogram"), "{line}");
            family = (name.to_owned(), kind.to_owned());
        } else {
            let (sample, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("{line}"));
            let (name, labels) = sample.split_once('{').unwrap_or((sample, "}"));
            let of_family = match family.1.as_str() {
                "histogram" => ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)),
                _ => Some(name),
            };
            assert_eq!(of_family, Some(family.0.as_str()), "{line}");
            assert_eq!(family.1 == "counter", name.ends_with("_total"), "{line}");
            let labels = labels.strip_suffix('}').unwrap_or_else(|| panic!("{line}"));
            for label in labels.split("\",").filter(|label| !label.is_empty()) {
                let (name, text) = label.split_once("=\"").unwrap_or_else(|| panic!("{line}"));
                assert!(is_name(name) && !text.trim_end_matches('"').contains(['"', '\\']), "{line}");
            }
            let value: f64 = value.parse().unwrap_or_else(|_| panic!("{line}"));
            assert!(value >= 0.0 && value.is_finite(), "{line}");
            assert_eq!(samples.insert(sample.to_owned(), value), None, "twice: {line}");
        }
    }
    samples
}

#[test]
fn metrics_count_the_requests_that_were_made() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    let client = serving.client.token(&token(&home, &["--scope", "read"]));
    (0..3).for_each(|_| assert_eq!(client.get("/v1/agents").status, 200));
    client.get("/v1/agents/main");
    client.get("/zorblax");
    client.send("ZORBLAX", "/healthz", b"");
    serving.client.token("zorblax").get("/v1/agents");
    serving.client.with("Host", "zorblax").get("/v1/agents");
    let mut stream = serving.client.connect();
    let head = format!("GET /v1/agents/main/events?scope=main HTTP/1.1\r\nHost: {}\r\n", client.address);
    let person = token(&home, &["--scope", "approve"]);
    stream.write_all(format!("{head}Authorization: Bearer {person}\r\n\r\n").as_bytes()).expect("sent");
    let mut first = [0; 12];
    stream.read_exact(&mut first).expect("an answer");
    assert_eq!(&first, b"HTTP/1.1 200");

    let answer = client.get("/metrics");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4"));
    let page = answer.text();
    assert!(!page.contains("zorblax") && !page.contains("main"), "{page}");
    let samples = samples(&page);
    let of = |name: &str| samples.get(name).copied().unwrap_or_else(|| panic!("{name}: {page}"));
    let requests = |labels: &str| of(&format!("inwit_http_requests_total{{{labels}}}"));
    assert_eq!(requests(r#"method="GET",route="/v1/agents",status="200""#), 3.0);
    assert_eq!(requests(r#"method="GET",route="/v1/agents",status="401""#), 1.0);
    assert_eq!(requests(r#"method="GET",route="none",status="404""#), 1.0);
    assert_eq!(
        requests(r#"method="GET",route="none",status="421""#),
        1.0,
        "refused before its route is known"
    );
    assert_eq!(requests(r#"method="OTHER",route="none",status="405""#), 1.0);
    let seconds = "inwit_http_request_duration_seconds";
    let agents = r#"method="GET",route="/v1/agents""#;
    assert_eq!(of(&format!("{seconds}_count{{{agents}}}")), 4.0);
    assert_eq!(of(&format!("{seconds}_bucket{{{agents},le=\"+Inf\"}}")), 4.0);
    let buckets =
        samples.iter().filter(|(name, _)| name.starts_with(&format!("{seconds}_bucket{{{agents},le=")));
    let mut buckets: Vec<(f64, f64)> = buckets
        .map(|(name, count)| {
            let bound =
                name.split("le=\"").nth(1).and_then(|rest| rest.strip_suffix("\"}")).expect("a bound");
            (bound.parse().expect("a number"), *count)
        })
        .collect();
    buckets.sort_by(|one, other| one.0.total_cmp(&other.0));
    assert!(buckets.windows(2).all(|two| two[0].1 <= two[1].1), "{buckets:?}");
    assert_eq!((of("inwit_event_streams_open"), of("inwit_tokens_refused_total")), (1.0, 1.0));
    assert!(of("inwit_connections_open") >= 2.0, "the stream and this one");
    assert_eq!((of("inwit_agents_open"), of("inwit_calls_waiting"), of("inwit_body_bytes")), (1.0, 0.0, 0.0));
    assert_eq!(of(&format!("inwit_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))), 1.0);
    if cfg!(target_os = "linux") {
        assert!(of("process_resident_memory_bytes") > 1e6 && of("process_open_fds") > 5.0, "{page}");
    }
}

#[test]
fn metrics_are_about_all_agents_so_a_token_for_one_does_not_read_them() {
    let home = home();
    let serving = Serving::start(&home, &[]);
    assert_eq!(serving.client.get("/metrics").status, 200, "a program of this machine");
    for args in [["--agent", "main"], ["--room", "kitchen"]] {
        let client = serving.client.token(&token(&home, &[&["--scope", "read"], &args[..]].concat()));
        let refused = client.get("/metrics");
        assert_eq!((refused.status, refused.code().as_str()), (403, "access_denied"), "{args:?}");
    }
    let behind_proxy = Serving::start(&crate::serve::home(), &["--allow-host", "inwit.example"]);
    assert_eq!(behind_proxy.client.get("/metrics").status, 401);
}
