import { PageHead } from '../../ui/PageHead.tsx'

/** The page Keys. */
export function KeysPage() {
  return <PageHead title="Keys" />
}
