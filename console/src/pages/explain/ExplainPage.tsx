import { PageHead } from '../../ui/PageHead.tsx'

/** The page Explain. */
export function ExplainPage() {
  return <PageHead title="Explain" />
}
