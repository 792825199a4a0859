import { PageHead } from '../../ui/PageHead.tsx'

/** The page Accounts. */
export function AccountsPage() {
  return <PageHead title="Accounts" />
}
