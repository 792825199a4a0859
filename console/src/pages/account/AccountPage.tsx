import { getRouteApi } from '@tanstack/react-router'

import { PageHead } from '../../ui/PageHead.tsx'

const route = getRouteApi('/accounts/$id')

/** One account. */
export function AccountPage() {
  const { id } = route.useParams()
  return <PageHead title={id} isId />
}
