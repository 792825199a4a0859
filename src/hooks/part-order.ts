import type { GenerateEvent } from '../generate/events.ts'

/** Whether the events of one reply say of parts only what can be said of them by then. */
export class PartOrder {
  /** By index: whether the part is still open. A hole is a part that has not begun. */
  readonly #isOpen: boolean[] = []

  /** What is wrong with this event in this place, as a clause; nothing, nearly always. */
  fault(event: GenerateEvent): string | undefined {
    if (event.type === 'finish') return this.#unended()
    if (!('index' in event)) return undefined
    const { type, index } = event
    const isOpen = this.#isOpen[index]
    if (type === 'part') {
      if (isOpen !== undefined) return `a second \`part\` of index ${index}`
      this.#isOpen[index] = true
      return undefined
    }
    if (isOpen === undefined) return `the \`${type}\` of part ${index} without its \`part\``
    if (!isOpen) return `the \`${type}\` of part ${index} after its \`end\``
    if (type === 'end') this.#isOpen[index] = false
    return undefined
  }

  #unended(): string | undefined {
    const index = this.#isOpen.indexOf(true)
    return index < 0 ? undefined : `\`finish\` without the \`end\` of part ${index}`
  }
}
