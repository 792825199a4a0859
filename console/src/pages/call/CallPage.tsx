import { Link, getRouteApi } from '@tanstack/react-router'

import { CallDetail } from '../../calls/CallDetail.tsx'
import { Card } from '../../ui/Card.tsx'
import { PageHead } from '../../ui/PageHead.tsx'

const route = getRouteApi('/calls/$id')

/** One call, on a page of its own. */
export function CallPage() {
  const { id } = route.useParams()
  return (
    <>
      <PageHead title={id} isId above={<Link to="/calls">Calls</Link>} />
      <Card>
        <CallDetail key={id} id={id} />
      </Card>
    </>
  )
}
