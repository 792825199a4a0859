import { type ReactNode, useId, useState } from 'react'

import { Button } from './Button.tsx'
import { classes } from './classes.ts'
import './filters.css'

/** Properties of `Filters`. */
export interface FiltersProps {
  /** What always stands there: a switch, a search. */
  readonly main?: ReactNode
  /** How many of the others are on. */
  readonly active?: number
  /** The others; absent: there are none. Where the line is narrow, as on a phone, they are behind one button. */
  readonly children?: ReactNode
  /** Further ones, which are behind the button also where the line is wide. */
  readonly more?: ReactNode
}

/** The line above a list. */
export function Filters({ main, active = 0, children, more }: FiltersProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="filters-frame">
      <div className="filters">
        {main}
        {(children !== undefined || more !== undefined) && (
          <Button
            className={classes('filters-button', more !== undefined && 'filters-button-always')}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            {active === 0 ? 'Filter' : `Filter, ${active} on`}
          </Button>
        )}
        <div
          id={id}
          className={classes('filters-others', isOpen && 'filters-open')}
          // What was filled in applies now: the list is what its user wants to see.
          onSubmit={() => setIsOpen(false)}
        >
          {children}
          {more !== undefined && <div className="filters-more">{more}</div>}
        </div>
      </div>
    </div>
  )
}
