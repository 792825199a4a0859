import { type ReactNode, useId } from 'react'

import './card.css'
import { classes } from './classes.ts'

/** Properties of `Card`. */
export interface CardProps {
  readonly title?: ReactNode
  /** At the right of the title: a link to all, a note. */
  readonly aside?: ReactNode
  /** Whether the content reaches the edges, as tables do. */
  readonly isFlush?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** A part of a page that answers one question. */
export function Card({ title, aside, isFlush, className, children }: CardProps) {
  const id = useId()
  return (
    <section
      className={classes('card', isFlush && 'card-flush', className)}
      {...(title !== undefined && { 'aria-labelledby': id })}
    >
      {title !== undefined && (
        <header className="card-head">
          <h2 id={id}>{title}</h2>
          {aside !== undefined && <div className="secondary">{aside}</div>}
        </header>
      )}
      <div className="card-body">{children}</div>
    </section>
  )
}
