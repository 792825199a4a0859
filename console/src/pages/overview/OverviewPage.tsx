import { PageHead } from '../../ui/PageHead.tsx'

/** The page Overview. */
export function OverviewPage() {
  return <PageHead title="Overview" />
}
