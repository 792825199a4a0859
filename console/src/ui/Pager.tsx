import { Button } from './Button.tsx'
import './pager.css'

/** Properties of `Pager`. */
export interface PagerProps {
  /** The cursor of the page, in its address; undefined: the first page. */
  readonly after: string | undefined
  /** The cursor of the next page; absent on the last page. */
  readonly next: string | null | undefined
  readonly onPage: (after: string | undefined) => void
}

/** Leads through a list whose pages are in the order of the gateway. Nothing, if it has one page. */
export function Pager({ after, next, onPage }: PagerProps) {
  if (after === undefined && !next) return null
  return (
    <nav className="pager" aria-label="Pages">
      <Button isSmall disabled={after === undefined} onClick={() => onPage(undefined)}>
        First page
      </Button>
      <Button isSmall disabled={!next} onClick={() => onPage(next ?? undefined)}>
        Next page
      </Button>
    </nav>
  )
}
