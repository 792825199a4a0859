import { useEffect, useState } from 'react'

/** The text beside a time, and its place. */
interface Tip {
  readonly text: string
  /** Whether a click has done it: then it is also spoken. A time says its UTC itself. */
  readonly isSaid?: boolean
  readonly left: number
  readonly top: number
}

/**
 * Beside the time that has the focus, or the first one of the row that has it: UTC. A click on a time copies it as ISO, and
 * says so there.
 */
export function TimeTip() {
  const [tip, setTip] = useState<Tip>()
  useEffect(() => {
    const end = new AbortController()
    const on = (name: 'focusin' | 'focusout' | 'click' | 'keydown' | 'scroll', run: Listener) =>
      addEventListener(name, (event) => run(event), { signal: end.signal, capture: true })
    const hide = () => setTip(undefined)
    on('focusin', ({ target }) => {
      const time = target instanceof Element ? timeOf(target) : null
      setTip(time ? tipOf(time, time.title) : undefined)
    })
    on('focusout', hide)
    on('scroll', hide)
    on('keydown', (event) => (event as KeyboardEvent).key === 'Escape' && hide())
    on('click', ({ target }) => {
      const time = target instanceof Element ? target.closest<HTMLElement>('.time') : null
      const text = time?.querySelector('time')?.dateTime
      if (time && text)
        void copy(text).then((words) => setTip({ ...tipOf(time, words), isSaid: true }))
    })
    return () => end.abort()
  }, [])
  return (
    <>
      <p role="status" className="hidden-label">
        {tip?.isSaid && tip.text}
      </p>
      {tip && (
        <div aria-hidden="true" className="time-tip" style={{ left: tip.left, top: tip.top }}>
          {tip.text}
        </div>
      )}
    </>
  )
}

type Listener = (event: Event) => unknown

function timeOf(target: Element): HTMLElement | null {
  if (!target.matches(':focus-visible')) return null
  if (target.matches('.time')) return target as HTMLElement
  return target.matches('tbody th a')
    ? (target.closest('tr')?.querySelector<HTMLElement>('.time') ?? null)
    : null
}

async function copy(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text)
    return `Copied ${text}`
  } catch {
    // Without a secure context or a permission the page may only show it.
    return text
  }
}

/** In pixels: a tip is at most so wide. */
const widest = 230

function tipOf(time: Element, text: string): Tip {
  const { left, bottom } = time.getBoundingClientRect()
  return { text, left: Math.max(4, Math.min(left, innerWidth - widest)), top: bottom + 4 }
}
