import { PageHead } from '../../ui/PageHead.tsx'

/** The page Calls. */
export function CallsPage() {
  return <PageHead title="Calls" />
}
