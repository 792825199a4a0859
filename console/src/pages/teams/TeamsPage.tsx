import { PageHead } from '../../ui/PageHead.tsx'

/** The page Teams. */
export function TeamsPage() {
  return <PageHead title="Teams" />
}
