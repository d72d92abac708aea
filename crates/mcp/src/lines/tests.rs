//! Limits on concurrent work, and answers to invalid lines.

use std::io::Cursor;

use super::*;

#[test]
fn what_is_skipped_ends_with_the_line() {
    let mut input = BufReader::with_capacity(7, &b"aaaa bbbb cccc\nnext"[..]);
    assert_eq!(skip_to_end(&mut input), (b"aaaa bbbb cccc".to_vec(), false));
    assert_eq!(skip_to_end(&mut input), (b"next".to_vec(), true));
}

#[test]
fn a_call_that_is_called_off_takes_room_until_its_work_ends() {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let off = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let input = Cursor::new(format!("{call}\n{off}\n"));
        let mut lines = Lines::new(input, Box::new(io::sink()), Duration::from_secs(60));
        let under_way = lines.receive().await.expect("the call");
        let _ = lines.receive().await.expect("the word that it is off");
        assert!(lines.out.is_settled(), "nobody waits for its answer");
        assert_eq!(lines.out.places.available_permits(), CALLS_MAX - 1);
        drop(under_way);
        assert_eq!(lines.out.places.available_permits(), CALLS_MAX);
    });
}

/// A reader that reads nothing until it is released.
struct Stuck(std::sync::mpsc::Receiver<()>);

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.recv();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Regression: four million invalid lines took 2.6 GB, because each had an answer in progress.
#[test]
fn lines_that_are_no_message_take_a_place_until_their_answer_is_read() {
    let (let_go, stuck) = std::sync::mpsc::channel();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let input = Cursor::new("no JSON\n".repeat(4 * CALLS_MAX));
        let mut lines = Lines::new(input, Box::new(Stuck(stuck)), Duration::from_secs(60));
        let out = Arc::clone(&lines.out);
        let refused = || out.refusals.load(Ordering::Acquire);
        let full = async {
            while refused() < CALLS_MAX {
                tokio::task::yield_now().await;
            }
            for _ in 0..10 * CALLS_MAX {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = lines.receive() => panic!("the input is read to its end"),
            () = full => assert_eq!(refused(), CALLS_MAX),
        }
        drop(let_go);
        assert!(lines.receive().await.is_none());
        assert_eq!(refused(), 0, "each is answered");
    });
}

/// Regression: 180,000 lines with one id took 1.8 GB, because each replaced the one before.
#[test]
fn a_call_waits_while_one_of_its_id_is_under_way() {
    let lines = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}
{"jsonrpc":"2.0","id":1,"method":"tools/list"}
"#;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let mut lines = Lines::new(Cursor::new(lines), Box::new(io::sink()), Duration::from_secs(60));
        let out = Arc::clone(&lines.out);
        let first = lines.receive().await.expect("the first call");
        let quiet = async {
            // Before the input ends, a slot may be taken for a line that follows.
            let has_all = || out.ended.load(Ordering::Acquire);
            while !has_all() || out.places.available_permits() > CALLS_MAX - 2 {
                tokio::task::yield_now().await;
            }
            for _ in 0..10 * CALLS_MAX {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = lines.receive() => panic!("two calls of one id are under way"),
            () = quiet => {}
        }
        drop(first);
        assert_eq!(
            out.places.available_permits(),
            CALLS_MAX - 2,
            "both have a place until they are answered"
        );
        out.close(&RequestId::Number(1));
        let second = lines.receive().await.expect("the second call: a wait that is broken off loses nothing");
        assert!(matches!(second, JsonRpcMessage::Request(_)));
        assert_eq!(out.open().len(), 1);
    });
}
