import type { ReactNode } from 'react'

/** An empty list: what it means, and what to do. Only after a complete answer. */
export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ReactNode
}) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children}
    </div>
  )
}
