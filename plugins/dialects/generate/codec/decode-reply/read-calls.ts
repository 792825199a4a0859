import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { Signature } from '../../../../../src/generate/content.ts'
import { checkArguments } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { stringAt } from '../../../../../src/lib/json/read.ts'
import { PartialCall } from '../partial-call.ts'
import { readPartSignature } from '../signatures.ts'
import type { ReplyState } from './read-texts.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'

/** A call of which pieces may follow. */
interface OpenCall {
  readonly index: number
  /** The account's id. */
  readonly id: string | undefined
  readonly call: PartialCall
  signature: Signature | undefined
  isEnded: boolean
}

/** Begins the part of a call and returns its index. */
type BeginCall = (name: string, id: string | undefined) => number

/**
 * Reads the function calls of one candidate, which may arrive in pieces (docs/wire/gemini.md 1.9). Their
 * arguments are emitted once they are complete, because pieces may come in any order of their paths.
 */
export class CallsReader {
  readonly #emit: ReplyState['emit']
  readonly #begin: BeginCall
  /** The open calls in order, and ended ones before them: an account may open tens of thousands. */
  readonly #open: OpenCall[] = []
  readonly #openById = new TextMap<OpenCall>()
  #hasCalls = false
  #hasCutText = false

  constructor(emit: ReplyState['emit'], begin: BeginCall) {
    this.#emit = emit
    this.#begin = begin
  }

  /** Reads a part with a call, or with a piece of one. */
  read(json: JsonObject, part: JsonObject): void {
    checkArguments(json.args)
    const continued = this.#continued(json)
    const name = stringAt(json, 'name')
    if (!continued && !name) {
      // The end of a call that was complete already.
      if (this.#hasCalls && isEnd(json)) return
      throw invalid('without a name')
    }
    const open = continued ?? this.#start(name as string, json)
    open.call.add(json, () => invalid('with arguments that cannot be read'))
    const signed = readPartSignature(stringAt(part, 'thoughtSignature'))
    open.signature ??= signed?.signature
    if (!continues(json)) this.#end(open)
  }

  /** Whether the account announced more of a call, or of a text in it, that did not come. */
  get isCut(): boolean {
    return this.#hasCutText || this.#last() !== undefined
  }

  /** Ends the calls of which the account announced more pieces that did not come. */
  close(): void {
    for (const open of this.#open.splice(0)) if (!open.isEnded) this.#end(open)
  }

  #start(name: string, json: JsonObject): OpenCall {
    const id = stringAt(json, 'id')
    this.#hasCalls = true
    const open: OpenCall = {
      index: this.#begin(name, id),
      id,
      call: new PartialCall(),
      signature: undefined,
      isEnded: false,
    }
    this.#open.push(open)
    if (id) this.#openById.set(id, open)
    return open
  }

  /** The call that a piece continues: the one with its id, or the last one for a piece without a name. */
  #continued(json: JsonObject): OpenCall | undefined {
    const id = stringAt(json, 'id')
    const same = id ? this.#openById.get(id) : undefined
    return same ?? (stringAt(json, 'name') ? undefined : this.#last())
  }

  #last(): OpenCall | undefined {
    while (this.#open.at(-1)?.isEnded) this.#open.pop()
    return this.#open.at(-1)
  }

  #end(ended: OpenCall): void {
    const { index, id, call, signature } = ended
    ended.isEnded = true
    if (call.hasOpenText) this.#hasCutText = true
    if (id) this.#openById.delete(id)
    this.#last()
    this.#emit({ type: 'delta', index, text: call.arguments })
    if (signature) this.#emit({ type: 'signature', index, signature })
    this.#emit({ type: 'end', index })
  }
}

/** Whether another piece of the call follows. A piece whose text continues need not say so itself. */
function continues({ willContinue, partialArgs }: JsonObject): boolean {
  if (typeof willContinue === 'boolean') return willContinue
  const last: unknown = Array.isArray(partialArgs) ? partialArgs.at(-1) : undefined
  return (last as JsonObject | undefined)?.willContinue === true
}

function isEnd({ args, partialArgs, willContinue }: JsonObject): boolean {
  return args === undefined && partialArgs === undefined && willContinue !== true
}

function invalid(fault: string): GatewayError {
  return new GatewayError('upstream_invalid_reply', `The upstream sent a function call ${fault}.`)
}
