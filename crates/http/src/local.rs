//! The API without a listener: requests of the same process, answered one after the other.
//!
//! Each needs a token, since it does not come in by an address of this machine.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use inwit_model::{Clock, Entropy};
use tokio::runtime::{Builder, Runtime};

use crate::agents::Agents;
use crate::guard::Guard;
use crate::router::router;
use crate::server::Served;

/// The host that its requests name.
pub const HOST: &str = "127.0.0.1:7717";

/// The API of the agents of a home.
pub struct Local {
    router: Router,
    runtime: Runtime,
}

impl Local {
    /// Of the home in `root`. Error: the system gives no threads.
    pub fn new(
        root: &Path,
        agents: Box<dyn Agents>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> io::Result<Self> {
        let guard = Guard::of(&[SocketAddr::from(([127, 0, 0, 1], 7717))], &[]);
        let served = Arc::new(Served::new(root, agents, guard, (clock, entropy)));
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Self { router: router(&served), runtime })
    }

    /// Answers one request, with its whole body.
    pub fn answer(&self, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
        let service = TowerToHyperService::new(self.router.clone());
        self.runtime.block_on(async {
            let answered = service.call(request.map(Body::from)).await;
            let (parts, body) = answered.unwrap_or_else(|never| match never {}).into_parts();
            let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
            Response::from_parts(parts, bytes.into())
        })
    }
}
