import { PageHead } from '../../ui/PageHead.tsx'

/** The page Prices. */
export function PricesPage() {
  return <PageHead title="Prices" />
}
