import type { ReactNode } from 'react'

import './state.css'
import { classes } from './classes.ts'
import { Shape, type ShapeName } from './shapes.tsx'

/** What a colour means. `none`: nothing needs attention. */
export type Tone = 'ok' | 'warn' | 'bad' | 'none'

/** A state: its word, its shape, and how much it matters. */
export interface StateLook {
  readonly word: string
  readonly shape: ShapeName
  readonly tone: Tone
}

/** Properties of `State` and `Pill`. */
export interface StateProps {
  readonly look: StateLook
  /** What follows the word, in grey. */
  readonly children?: ReactNode
}

/** A state in a table: its mark and its word. */
export function State({ look: { word, shape, tone }, children }: StateProps) {
  return (
    <span className={classes('state', `state-${tone}`)}>
      <Shape name={shape} />
      <span className="state-word">{word}</span>
      {children !== undefined && <span className="muted"> {children}</span>}
    </span>
  )
}

/** A state in a heading or in a list of troubles. */
export function Pill({ look: { word, shape, tone } }: Pick<StateProps, 'look'>) {
  return (
    <span className={classes('pill', `pill-${tone}`)}>
      <Shape name={shape} />
      {word}
    </span>
  )
}
