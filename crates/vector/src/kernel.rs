//! One body, compiled twice: as the target's baseline allows, and with AVX2 where the processor has it.
//!
//! Invariant: both give the same bits, since they are the same operations in the same order: sums run in
//! as many parts as the widest registers hold, and nothing is contracted.

/// Defines a public function of this body. What the baseline gets is also in a module of the function's
/// name, as `plain`, for the test that both give the same bits.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$doc])*
        pub fn $name($($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn wide($($argument: $type),*) $(-> $result)? {
                    $name::plain($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: `wide` needs nothing but AVX2, and this processor has it.
                    return unsafe { wide($($argument),*) };
                }
            }
            $name::plain($($argument),*)
        }

        pub(crate) mod $name {
            #[allow(unused_imports, reason = "not every body calls a neighbour")]
            use super::*;

            #[inline(always)]
            pub(crate) fn plain($($argument: $type),*) $(-> $result)? $body
        }
    };
}
pub(crate) use kernel;
