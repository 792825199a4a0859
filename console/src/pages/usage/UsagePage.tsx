import { PageHead } from '../../ui/PageHead.tsx'

/** The page Usage. */
export function UsagePage() {
  return <PageHead title="Usage" />
}
