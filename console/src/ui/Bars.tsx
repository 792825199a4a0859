import './bars.css'

/** Grey bars where an answer is under way: they claim nothing. */
export function Bars({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className="bars" role="status">
      <span className="hidden-label">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className={`bar-line bar-line-${index % 3}`} />
      ))}
    </div>
  )
}

/** A share of a most, as a bar: amber if it is full, unless it has a tone. The figure beside it has the words. */
export function Meter({
  value,
  most,
  tone,
}: {
  readonly value: number
  readonly most: number
  readonly tone?: 'accent'
}) {
  const part = most > 0 ? Math.min(1, value / most) : 0
  return (
    <span className="meter" aria-hidden="true">
      <span
        className={part >= 1 && tone === undefined ? 'meter-full' : undefined}
        style={{ width: `${part > 0 ? Math.max(3, part * 100) : 0}%` }}
      />
    </span>
  )
}
