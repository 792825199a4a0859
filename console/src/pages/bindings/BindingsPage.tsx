import { PageHead } from '../../ui/PageHead.tsx'

/** The page Bindings. */
export function BindingsPage() {
  return <PageHead title="Bindings" />
}
