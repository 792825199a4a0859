import { PageHead } from '../../ui/PageHead.tsx'

/** The page Limits. */
export function LimitsPage() {
  return <PageHead title="Limits" />
}
