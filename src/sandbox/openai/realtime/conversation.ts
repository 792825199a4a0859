import { setTimeout as sleep } from 'node:timers/promises'
import { FaultError } from '../../fault.ts'
import { newId } from '../../ids.ts'
import { type JsonObject, isObject, objectOf, objectsOf, textOf } from '../../json.ts'
import { Problem, badRequest } from '../../problem.ts'
import { anything, object, string } from '../../shape.ts'
import type { Directives } from '../../steering/directives.ts'
import { countTokens } from '../../text/words.ts'
import { openai, renderOpenAiError } from '../provider.ts'
import { type Asked, cancelledEvent, eventsOf, usageOf } from './events.ts'
import { changed, inputOf, speaks } from './session.ts'
import { clientEvents, optionalMembers } from './shapes.ts'

/** How a conversation reaches its client. */
type Wire = {
  send(event: JsonObject): void
  /** Drops the connection. */
  cut(): void
  /** Closes the connection with a code. */
  close(code: number, reason: string): void
}

type Options = {
  session: JsonObject
  directives: Directives & { pace: number }
  wire: Wire
}

/** The conversation of one connection to `/v1/realtime`. */
export class Conversation {
  #session: JsonObject
  readonly #directives: Options['directives']
  readonly #wire: Wire
  readonly #items = new Map<string, JsonObject>()
  #audio = { bytes: 0, hasSound: false }
  #heardBytes = 0
  #active: { id: string; asked: Asked; isCancelled: boolean } | undefined
  #isOver = false
  #sent = 0

  constructor({ session, directives, wire }: Options) {
    this.#session = session
    this.#directives = directives
    this.#wire = wire
    this.#send({ type: 'session.created', session })
  }

  /** Serves an event of the client. */
  receive(text: string): void {
    let event: JsonObject = {}
    try {
      event = parse(text)
      check(event)
      this.#serve(event)
    } catch (error) {
      this.#refuse(error, event)
    }
  }

  /** The connection has ended. */
  end(): void {
    this.#isOver = true
  }

  #serve(event: JsonObject): void {
    switch (event['type']) {
      case 'session.update':
        return this.#update(objectOf(event['session']))
      case 'input_audio_buffer.append':
        return this.#hear(Buffer.from(textOf(event['audio']), 'base64'))
      case 'input_audio_buffer.commit':
        return this.#commit()
      case 'input_audio_buffer.clear':
        this.#audio = { bytes: 0, hasSound: false }
        return this.#send({ type: 'input_audio_buffer.cleared' })
      case 'conversation.item.create':
        return this.#add(objectOf(event['item']))
      case 'conversation.item.delete':
        return this.#delete(textOf(event['item_id']))
      case 'conversation.item.retrieve':
        return this.#retrieve(textOf(event['item_id']))
      case 'response.create':
        return this.#respond(objectOf(event['response']))
      case 'response.cancel':
        return this.#cancel()
    }
  }

  #update(change: JsonObject): void {
    const { model } = this.#session
    if (change['model'] !== undefined && change['model'] !== model)
      throw badRequest(
        'The model of a session cannot be changed.',
        'session.model',
        'invalid_value',
      )
    this.#session = changed(this.#session, change)
    this.#send({ type: 'session.updated', session: this.#session })
  }

  /** A piece of silence behind a sound ends the turn of the user. */
  #hear(bytes: Buffer): void {
    const hasSound = bytes.some((byte) => byte !== 0)
    const { endsTurns } = inputOf(this.#session)
    const itemId = newId('item_')
    if (endsTurns && hasSound && !this.#audio.hasSound)
      this.#send({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0, item_id: itemId })
    this.#audio.bytes += bytes.length
    const isEnd = endsTurns && this.#audio.hasSound && !hasSound
    this.#audio.hasSound ||= hasSound
    if (!isEnd) return
    this.#send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: 0, item_id: itemId })
    this.#commit()
    if (this.#active) this.#cancel()
    this.#respond({})
  }

  #commit(): void {
    const { bytes } = this.#audio
    if (bytes === 0)
      throw badRequest(
        'Error committing input audio buffer: buffer too small.',
        undefined,
        'input_audio_buffer_commit_empty',
      )
    this.#audio = { bytes: 0, hasSound: false }
    this.#heardBytes += bytes
    const id = newId('item_')
    this.#send({ type: 'input_audio_buffer.committed', previous_item_id: null, item_id: id })
    const content = [{ type: 'input_audio', transcript: null }]
    this.#add({ id, type: 'message', role: 'user', content })
    const { transcriber } = inputOf(this.#session)
    if (transcriber === undefined) return
    const isTimed = transcriber.includes('whisper')
    this.#send({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: id,
      content_index: 0,
      transcript: 'Hello from the sandbox.',
      usage: isTimed
        ? { type: 'duration', seconds: bytes / 48_000 }
        : {
            type: 'tokens',
            input_tokens: 10,
            output_tokens: 5,
            total_tokens: 15,
            input_token_details: { audio_tokens: 10, text_tokens: 0 },
          },
    })
  }

  #add(given: JsonObject): void {
    const id = textOf(given['id']) || newId('item_')
    if (this.#items.has(id))
      throw badRequest(`Error adding item: an item with id '${id}' already exists.`, 'item.id')
    const item = { ...given, id, object: 'realtime.item', status: 'completed' }
    this.#items.set(id, item)
    for (const type of ['conversation.item.added', 'conversation.item.done'])
      this.#send({ type, previous_item_id: null, item })
  }

  #delete(id: string): void {
    if (!this.#items.delete(id)) throw unknownItem(id, 'delete')
    this.#send({ type: 'conversation.item.deleted', item_id: id })
  }

  #retrieve(id: string): void {
    const item = this.#items.get(id)
    if (!item) throw unknownItem(id, 'retrieve')
    this.#send({ type: 'conversation.item.retrieved', item })
  }

  #respond(settings: JsonObject): void {
    if (this.#active)
      throw badRequest(
        'Conversation already has an active response.',
        undefined,
        'conversation_already_has_active_response',
      )
    const items = Array.isArray(settings['input'])
      ? objectsOf(settings['input'])
      : [...this.#items.values()]
    const texts = items.map(textIn)
    const asked = {
      userText: items.findLast(({ role }) => role === 'user') ? (texts.at(-1) ?? '') : '',
      inputTokens: countTokens(texts.join(' ')),
      audioBytes: this.#heardBytes,
      speaks: speaks(this.#session, settings),
      metadata: settings['metadata'],
    }
    void this.#run(asked)
  }

  async #run(asked: Asked): Promise<void> {
    const active = { id: '', asked, isCancelled: false }
    this.#active = active
    const { pace, error } = this.#directives
    let count = 0
    for (const event of eventsOf(asked, this.#directives)) {
      if (count === error) return this.#fail(active)
      count++
      if (event['type'] === 'response.created')
        active.id = textOf(objectOf(event['response'])['id'])
      if (event['type'] === 'response.done') {
        this.#active = undefined
        for (const item of objectsOf(objectOf(event['response'])['output']))
          this.#items.set(textOf(item['id']), item)
      }
      this.#send(event)
      if (pace > 0) await sleep(pace)
      if (active.isCancelled || this.#isOver) return
    }
  }

  /** Ends a response as one that the provider could not make. */
  #fail({ id }: { id: string }): void {
    this.#active = undefined
    const failure = { type: 'server_error', code: this.#directives.code ?? 'server_error' }
    const details = { type: 'failed', error: failure }
    const end = { status: 'failed', status_details: details, output: [], usage: null }
    this.#send({ type: 'response.done', response: { object: 'realtime.response', id, ...end } })
  }

  #cancel(): void {
    const active = this.#active
    if (!active)
      throw badRequest(
        'Cancellation failed: no active response found',
        undefined,
        'response_cancel_not_active',
      )
    active.isCancelled = true
    this.#active = undefined
    this.#send(cancelledEvent(active.id, usageOf({ ...active.asked, speaks: false }, '')))
  }

  #send(event: JsonObject): void {
    if (this.#isOver) return
    const { cut, eof, stall } = this.#directives
    if (stall !== undefined && this.#sent >= stall) return
    this.#wire.send({ event_id: newId('event_'), ...event })
    this.#sent++
    if (this.#sent === cut) this.#wire.cut()
    if (this.#sent === eof) this.#wire.close(1000, '')
  }

  #refuse(thrown: unknown, event: JsonObject): void {
    const problem =
      thrown instanceof FaultError ? openai.explainFault(thrown.fault) : (thrown as Problem)
    if (!(problem instanceof Problem)) throw thrown
    const eventId = event['event_id']
    const error = { ...renderOpenAiError(problem), event_id: eventId ?? null }
    this.#send({ type: 'error', error })
  }
}

function parse(text: string): JsonObject {
  try {
    const event: unknown = JSON.parse(text)
    if (isObject(event)) return event
  } catch {
    // A text that is no JSON gets the same error as JSON that is no object.
  }
  throw badRequest('Invalid event: expected a JSON object.', undefined, 'invalid_event')
}

function check(event: JsonObject): void {
  const type = event['type']
  if (type === undefined)
    throw badRequest("Missing required parameter: 'type'.", 'type', 'missing_required_parameter')
  const known = typeof type === 'string' && Object.hasOwn(clientEvents, type)
  if (!known) {
    const names = Object.keys(clientEvents).map((name) => `'${name}'`)
    const message = `Invalid value: ${JSON.stringify(type)}. Supported values are: ${names.join(', ')}.`
    throw badRequest(message, 'type', 'invalid_value')
  }
  object({
    required: { type: anything, ...clientEvents[type] },
    optional: { event_id: string({ max: 512 }), ...optionalMembers[type] },
  })(event, [])
}

function unknownItem(id: string, act: string): Problem {
  return badRequest(
    `Error: cannot ${act} the item '${id}', which does not exist.`,
    'item_id',
    `item_${act}_invalid_item_id`,
  )
}

function textIn(item: JsonObject): string {
  const parts = objectsOf(item['content']).map((part) => textOf(part['text'] ?? part['transcript']))
  return [...parts, textOf(item['output'])].filter((text) => text !== '').join(' ')
}
