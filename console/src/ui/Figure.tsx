import type { ReactNode } from 'react'

import { unknownCell } from '../format/numbers.ts'
import { classes } from './classes.ts'
import './figure.css'

/** Properties of `Figure`. */
export interface FigureProps {
  readonly name: string
  /** Undefined: not known. */
  readonly value: ReactNode | undefined
  readonly unit?: ReactNode
  readonly isBad?: boolean
  readonly note?: ReactNode
  /** Its chart. */
  readonly children?: ReactNode
}

/** One figure, with its unit and where it comes from. */
export function Figure({ name, value, unit, isBad, note, children }: FigureProps) {
  return (
    <div className="figure">
      <p className="figure-name">{name}</p>
      <p className={classes('figure-value', isBad && 'figure-bad')}>
        {value === undefined ? (
          <span className="muted">{unknownCell}</span>
        ) : (
          <strong>{value}</strong>
        )}{' '}
        <span className="figure-unit">{unit}</span>
      </p>
      {children}
      {note !== undefined && <p className="secondary">{note}</p>}
    </div>
  )
}

/** Figures beside each other; two by two on phones. */
export function Figures({ children }: { readonly children: ReactNode }) {
  return <div className="figures">{children}</div>
}
