//! Percentiles and medians of measured values.

use std::time::Duration;

/// The value below which the given share of the samples lies (nearest rank).
pub(super) fn percentile(samples: &mut [Duration], percent: usize) -> Duration {
    samples.sort_unstable();
    let rank = (samples.len() * percent).div_ceil(100).max(1);
    samples.get(rank - 1).copied().unwrap_or_default()
}

pub(super) fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{median, percentile};

    #[test]
    fn percentiles_take_the_nearest_rank() {
        let mut samples: Vec<Duration> = (1..=200).rev().map(Duration::from_micros).collect();
        assert_eq!(percentile(&mut samples, 50), Duration::from_micros(100));
        assert_eq!(percentile(&mut samples, 99), Duration::from_micros(198));
        assert_eq!(percentile(&mut [Duration::from_micros(7)], 99), Duration::from_micros(7));
    }

    #[test]
    fn the_median_ignores_the_order_and_the_outlier() {
        assert!((median(&mut [900.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
    }
}
