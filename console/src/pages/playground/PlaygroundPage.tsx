import { PageHead } from '../../ui/PageHead.tsx'

/** The page Playground. */
export function PlaygroundPage() {
  return <PageHead title="Playground" />
}
