import type { ReactNode } from 'react'

/** The shapes of states: a state is known by its word and its shape; the colour only helps. */
export type ShapeName =
  | 'dot'
  | 'ring'
  | 'half'
  | 'quarter'
  | 'pause'
  | 'cross'
  | 'check'
  | 'broken'
  | 'triangle'
  | 'dash'
  | 'arrow'

const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.8,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const shapes: Readonly<Record<ShapeName, ReactNode>> = {
  dot: <circle cx="6" cy="6" r="3.5" fill="currentColor" />,
  ring: <circle cx="6" cy="6" r="3.5" {...stroke} strokeWidth="1.4" />,
  half: (
    <>
      <circle cx="6" cy="6" r="4.2" {...stroke} strokeWidth="1.4" />
      <path d="M6 1.8a4.2 4.2 0 0 1 0 8.4z" fill="currentColor" />
    </>
  ),
  quarter: (
    <>
      <circle cx="6" cy="6" r="4.2" {...stroke} strokeWidth="1.4" />
      <path d="M6 6V1.8A4.2 4.2 0 0 1 10.2 6z" fill="currentColor" />
    </>
  ),
  pause: <path d="M4 2.8v6.4M8 2.8v6.4" {...stroke} strokeWidth="2" />,
  cross: <path d="m2.8 2.8 6.4 6.4M9.2 2.8 2.8 9.2" {...stroke} />,
  check: <path d="m2.2 6.4 2.5 2.6 5-5.6" {...stroke} />,
  broken: <path d="M.8 7.2h2.6L5 4.4M7 7.6l1.6-2.8h2.6" {...stroke} strokeWidth="1.6" />,
  triangle: <path d="M6 1.6 11 10.4H1z" fill="currentColor" />,
  dash: <path d="M2.8 6h6.4" {...stroke} />,
  arrow: <path d="M1.8 6h8M6.6 2.8 9.8 6 6.6 9.2" {...stroke} strokeWidth="1.6" />,
}

/** A shape of 12 pixels, in the colour of its text. */
export function Shape({ name }: { readonly name: ShapeName }) {
  return (
    <svg className="shape" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {shapes[name]}
    </svg>
  )
}
