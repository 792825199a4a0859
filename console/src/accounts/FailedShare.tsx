import { count, share } from '../format/numbers.ts'

/** Above this share, failures matter. */
const muchShare = 0.05

/** Failures and their share of the calls; amber above 5 %. */
export function FailedShare({
  failures,
  calls,
}: {
  readonly failures: number
  readonly calls: number
}) {
  if (failures === 0) return <span className="muted">0</span>
  return (
    <>
      {count(failures)}{' '}
      <span className={failures > calls * muchShare ? 'share-much' : 'muted'}>
        {share(failures, calls)}
      </span>
    </>
  )
}
