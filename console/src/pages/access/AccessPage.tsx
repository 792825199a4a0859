import { PageHead } from '../../ui/PageHead.tsx'

/** The page Access. */
export function AccessPage() {
  return <PageHead title="Access" />
}
