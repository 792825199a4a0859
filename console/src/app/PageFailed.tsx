import { Button } from '../ui/Button.tsx'
import { PageHead } from '../ui/PageHead.tsx'

/** A defect of the console: the rest of it goes on. */
export function PageFailed({
  error,
  reset,
}: {
  readonly error: unknown
  readonly reset: () => void
}) {
  return (
    <>
      <PageHead title="This page has failed" />
      <p className="stack">
        <span>
          The console has a defect: {error instanceof Error ? error.message : String(error)}
        </span>
        <span>
          <Button onClick={reset}>Show it again</Button>
        </span>
      </p>
    </>
  )
}
