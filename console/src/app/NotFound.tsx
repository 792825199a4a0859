import { Link } from '@tanstack/react-router'

import { PageHead } from '../ui/PageHead.tsx'

/** The address names no page. */
export function NotFound() {
  return (
    <>
      <PageHead title="No such page" />
      <p>
        The console has no page at this address.{' '}
        <Link to="/overview" className="link">
          Overview
        </Link>{' '}
        is the first one.
      </p>
    </>
  )
}
