//! The server by its OpenAPI document: schemathesis calls every operation with what the document allows and forbids.
//!
//! Left out is its check that all which the document allows is accepted: a document cannot say what is the name of a
//! file, a day, or a question with words.

use std::path::Path;

use inwit_testkit::clients::schemathesis;

use serde_json::json;

use crate::newcomer;
use crate::serve::{Serving, token};

/// No server error, no answer of another shape, no refusal without its status. An agent is refused by most routes, so it
/// needs fewer examples.
#[test]
fn every_answer_is_as_the_openapi_document_says() {
    let config = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/schemathesis.toml"));
    for (right, examples) in [("write", 3), ("admin", 20)] {
        let home = newcomer().env("PATH", "/usr/bin:/bin");
        home.run(["init", "--timezone", "UTC"]).exits(0);
        home.run(["remember", "Ana likes rye bread."]).exits(0);
        home.run(["facts", "add", "Ana bakes on Mondays."]).exits(0);
        let token = token(&home, &["--scope", right]);
        let serving = Serving::start(&home, &[]);
        let proposed =
            serving.client.post("/v1/agents/main/memory?scope=main", &json!({ "text": "Ben likes oats." }));
        assert_eq!(proposed.json()["outcome"], "pending");
        let url = format!("http://{}", serving.client.address);
        let Some((is_clean, found)) = schemathesis(&home, config, &url, &token, examples) else {
            return;
        };
        assert!(is_clean, "with a token to {right}: {found}");
        assert!(found.contains("Test cases:"), "{found}");
    }
}
