import { PageHead } from '../../ui/PageHead.tsx'

/** The page Configuration. */
export function ConfigurationPage() {
  return <PageHead title="Configuration" />
}
