import type { EventMapper } from './generate/mapper.ts'

/** Errors that plugins made of replies. They live as long as somebody tells of them. */
const own = new WeakSet<object>()

/** Whether an error, or an event that tells of one, is the work of a plugin and no account's. */
export function isOwnError(error: object): boolean {
  return own.has(error)
}

/** A plugin's mapper, of whose errors it is known that no account told them. */
export function ownUp(mapper: EventMapper): EventMapper {
  return {
    push(event, emit) {
      const isTold = event.type === 'error' && !own.has(event)
      let isBehind = false
      try {
        mapper.push(event, (changed) => {
          if (changed.type === 'error' && !isTold) own.add(changed)
          isBehind = true
          emit(changed)
          isBehind = false
        })
      } catch (error) {
        if (!isBehind && !isTold && typeof error === 'object' && error !== null) own.add(error)
        throw error
      }
    },
  }
}
