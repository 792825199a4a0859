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
  /** The others; absent: there are none. */
  readonly children?: ReactNode
}

/** The line above a list. Where it is narrow, as on a phone, the filters are behind one button. */
export function Filters({ main, active = 0, children }: FiltersProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="filters-frame">
      <div className="filters">
        {main}
        {children !== undefined && (
          <>
            <Button
              className="filters-button"
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={() => setIsOpen(!isOpen)}
            >
              {active === 0 ? 'Filter' : `Filter, ${active} on`}
            </Button>
            <div id={id} className={classes('filters-more', isOpen && 'filters-open')}>
              {children}
            </div>
          </>
        )}
      </div>
    </div>
  )
}
