import { GatewayError } from '../../contract/errors.ts'

/** Acts whose answers this process awaits. Questions take none of their places. */
const mostActs = 32

/** Questions whose answers this process awaits. */
const mostQuestions = 32

/** Those of one asker, so that the others always get one. */
const mostOfAsker = 4

/** The commands whose answers a process may await at a time. */
interface CommandPlaces {
  /**
   * Takes the place of an act, or of a question of `asker`; disposing it gives the place back. Throws `GatewayError`
   * if none is left.
   */
  take(asker?: string): Disposable
}

/** Creates the places of a process. */
export function createCommandPlaces(): CommandPlaces {
  let acts = 0
  let questions = 0
  const ofAskers = new Map<string, number>()

  function takeAct(): Disposable {
    if (acts >= mostActs) throw refused()
    acts++
    return { [Symbol.dispose]: () => void acts-- }
  }

  function takeQuestion(asker: string): Disposable {
    const own = ofAskers.get(asker) ?? 0
    if (questions >= mostQuestions || own >= mostOfAsker) throw refused()
    questions++
    ofAskers.set(asker, own + 1)
    return {
      [Symbol.dispose]() {
        questions--
        const left = (ofAskers.get(asker) ?? 1) - 1
        if (left === 0) ofAskers.delete(asker)
        else ofAskers.set(asker, left)
      },
    }
  }

  return { take: (asker) => (asker === undefined ? takeAct() : takeQuestion(asker)) }
}

function refused(): GatewayError {
  return new GatewayError('rate_limited', 'This process awaits the answers of too many commands.')
}
