import { type ReactNode, useEffect } from 'react'

import './page-head.css'

/** Properties of `PageHead`. */
export interface PageHeadProps {
  /** The heading of level 1, and the title of the tab. */
  readonly title: string
  /** A link to the list that the page is one of. */
  readonly above?: ReactNode
  /** Beside the heading: a state, a line of facts. */
  readonly aside?: ReactNode
  /** The acts of the page. */
  readonly acts?: ReactNode
  /** Whether the title is an id. */
  readonly isId?: boolean
}

/** The head of a page: where one is, and what one can do here. */
export function PageHead({ title, above, aside, acts, isId = false }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Dragoman`
  }, [title])
  return (
    <header className="page-head">
      <div className="page-head-words">
        {above !== undefined && <p className="secondary page-head-above">{above}</p>}
        <div className="page-head-line">
          <h1 className={isId ? 'page-head-id' : undefined}>{title}</h1>
          {aside}
        </div>
      </div>
      {acts !== undefined && <div className="row">{acts}</div>}
    </header>
  )
}
