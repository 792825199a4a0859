import { PageHead } from '../../ui/PageHead.tsx'

/** The page Models. */
export function ModelsPage() {
  return <PageHead title="Models" />
}
