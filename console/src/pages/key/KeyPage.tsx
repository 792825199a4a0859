import { getRouteApi } from '@tanstack/react-router'

import { PageHead } from '../../ui/PageHead.tsx'

const route = getRouteApi('/keys/$id')

/** One key. */
export function KeyPage() {
  const { id } = route.useParams()
  return <PageHead title={id} isId />
}
