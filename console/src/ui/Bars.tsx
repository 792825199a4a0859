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
  held = 0,
  most,
  tone,
}: {
  readonly value: number
  /** The held amount, which follows the value in a lighter tone. */
  readonly held?: number
  readonly most: number
  readonly tone?: 'accent'
}) {
  const part = partOf(value, most)
  const all = partOf(value + held, most)
  return (
    <span className="meter" aria-hidden="true">
      <span
        className={part >= 1 && tone === undefined ? 'meter-full' : undefined}
        style={{ width: `${percentOf(part)}%` }}
      />
      {all > part && (
        <span className="meter-held" style={{ width: `${percentOf(all) - percentOf(part)}%` }} />
      )}
    </span>
  )
}

function partOf(value: number, most: number): number {
  return most > 0 ? Math.min(1, value / most) : 0
}

/** A part that is not 0 can be seen. */
function percentOf(part: number): number {
  return part > 0 ? Math.max(3, part * 100) : 0
}
