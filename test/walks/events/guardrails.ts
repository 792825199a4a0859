import type { GenerateEvent } from '../../../src/generate/events.ts'
import type { EventMapper } from '../../../src/generate/mapper.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'

/** A plugin that changes the events of every reply in one way. */
export function guardrail(map: EventMapper['map'], name = 'guardrail'): GatewayPlugin {
  return definePlugin({ name, onEvents: () => ({ map }) })
}

/** A plugin that writes other words instead of some, wherever deltas break them apart. */
export function rewriting(words: string, instead: string): GatewayPlugin {
  return definePlugin({
    name: `no-${words}`,
    onEvents: () => rewriter(words, instead),
  })
}

function rewriter(words: string, instead: string): EventMapper {
  const held = new Map<number, string>()
  return {
    map(event, emit) {
      if (event.type === 'delta') {
        const text = ((held.get(event.index) ?? '') + event.text).replaceAll(words, instead)
        const kept = beginningAtEnd(text, words)
        held.set(event.index, text.slice(text.length - kept))
        const shown = text.slice(0, text.length - kept)
        if (shown !== '') emit({ type: 'delta', index: event.index, text: shown })
        return
      }
      if (event.type === 'end') {
        const text = held.get(event.index) ?? ''
        if (text !== '') emit({ type: 'delta', index: event.index, text })
      }
      emit(event)
    },
  }
}

/** How much of the text's end may be the beginning of the words. */
function beginningAtEnd(text: string, words: string): number {
  for (let length = words.length - 1; length > 0; length--) {
    if (text.endsWith(words.slice(0, length))) return length
  }
  return 0
}

/** A plugin that lets everything through but this. */
export function without(type: GenerateEvent['type']): GatewayPlugin {
  return guardrail((event, emit) => {
    if (event.type !== type) emit(event)
  }, `without-${type}`)
}

/** A plugin that fails at an event of this kind. */
export function failingAt(type: GenerateEvent['type'], error: Error): GatewayPlugin {
  return guardrail((event, emit) => {
    if (event.type === type) throw error
    emit(event)
  }, `failing-at-${type}`)
}
