import { getRouteApi } from '@tanstack/react-router'

import { PageHead } from '../../ui/PageHead.tsx'

const route = getRouteApi('/calls/$id')

/** One call. */
export function CallPage() {
  const { id } = route.useParams()
  return <PageHead title={id} isId />
}
