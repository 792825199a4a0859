import { PageHead } from '../../ui/PageHead.tsx'

/** The page Jobs. */
export function JobsPage() {
  return <PageHead title="Jobs" />
}
