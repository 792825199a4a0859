import { PageHead } from '../../ui/PageHead.tsx'

/** The page Audit. */
export function AuditPage() {
  return <PageHead title="Audit" />
}
