import type { GenerateEvent } from '../../../src/generate/events.ts'

/** What is wrong with the order of events; nothing where it is as it should be. */
export function disorderOf(events: readonly GenerateEvent[]): string[] {
  const wrong: string[] = []
  const open = new Set<number>()
  let count = 0
  let stopped = false
  for (const [at, event] of events.entries()) {
    const complain = (what: string) => void wrong.push(`${at}: ${event.type} ${what}`)
    if (at > 0 && isTerminal(events[at - 1])) complain('after the end')
    if ('index' in event && event.type !== 'part' && !open.has(event.index))
      complain('of no open part')
    switch (event.type) {
      case 'start':
        if (at !== 0) complain('is not first')
        break
      case 'part':
        if (event.index !== count++) complain('leaves a gap')
        open.add(event.index)
        break
      case 'delta':
        if (event.text === '') complain('is empty')
        break
      case 'end':
        open.delete(event.index)
        break
      case 'stop':
        if (open.size > 0) complain('before all parts ended')
        stopped = true
        break
      case 'finish':
        if (!stopped) complain('without a stop')
    }
  }
  return wrong
}

function isTerminal(event: GenerateEvent | undefined): boolean {
  return event?.type === 'finish' || event?.type === 'error'
}
