import type { RequestBody } from '../../../src/contract/body.ts'
import { jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import { fieldRemoved, modelInserted } from '../../../src/body/edits.ts'
import { resolveModel } from '../../../src/kit/models.ts'
import type { Outbound } from '../../../src/contract/attempt.ts'
import { enterCall } from '../../../src/exchange/record.ts'
import { planImageAttempt, outboundOf } from './ask.ts'
import { checkEdit } from './check-values.ts'
import { checkPictures } from './check-pictures.ts'
import { countOfImages, dueOfEdit, imageCall, untoldFields } from './call.ts'
import { isPlain, rewriteForm } from './form-body.ts'
import { picturesOfForm } from './form-pictures.ts'
import { isPlainJson, rewriteJson } from './json-body.ts'
import { picturesOfJson } from './json-pictures.ts'
import type { ChosenModel } from './models.ts'
import type { ImageParts } from './parts.ts'
import type { CheckedPicture, Pictures } from './pictures.ts'
import { editSchema } from './schema.ts'
import { valuesOf } from './values.ts'

const path = '/v1/images/edits'

/** `POST /v1/images/edits`, as a form or as JSON. */
export function editImages(parts: ImageParts) {
  const { files, models } = parts
  /** What was looked at once serves every account that is asked. */
  const checked = new WeakMap<RequestBody, Checked>()

  async function prepare(exchange: Routed, { pictures, model }: Checked): Promise<Outbound> {
    const { body, call, caller, candidate } = exchange
    const { upstreamModel } = candidate
    const untold = untoldFields(model, models.isLegacy(upstreamModel))
    const edited = () =>
      outboundOf(exchange, path, [
        ...(call.modelAt ? [] : [modelInserted(body, upstreamModel)]),
        ...untold.flatMap((name) => fieldRemoved(body, name)),
      ])
    const told = { model: upstreamModel, untold, files, caller }
    if (body.form) {
      if (isPlain(pictures)) return edited()
      const { type, body: rewritten } = rewriteForm({ ...told, form: body.form, pictures })
      return replaced(outboundOf(exchange, path), type, rewritten)
    }
    if (isPlainJson(body.json, pictures)) return edited()
    const rewritten = await rewriteJson(body.json, pictures, { ...told, exchange })
    return replaced(outboundOf(exchange, path), 'application/json', rewritten)
  }

  return defineOperation({
    id: 'images.edit',
    method: 'POST',
    paths: [path],
    auth: 'key',
    body: 'form',
    capability: 'edit-image',
    summary: 'Edit images, streamed with `stream: true`',
    schema: editSchema,
    replies: jsonOrEvents,
    async understand(exchange, body) {
      const values = valuesOf(body)
      const model = models.choose(exchange, values, countOfImages(body))
      const call = imageCall(body, values, model)
      // What was asked for is told in the log, also where a picture is not to be had.
      enterCall(exchange, call)
      checkEdit(values, model)
      // No upload is opened for a model that nobody serves, or that this key may not use.
      resolveModel(exchange, call)
      const given = body.form
        ? await picturesOfForm(body.form, files, exchange.caller)
        : await picturesOfJson(body.json, files, exchange.caller)
      checked.set(body, { model, pictures: await checkPictures(given, model) })
      return call
    },
    forward: {
      paid: 'reply',
      async plan(exchange, services) {
        const known = checked.get(exchange.body)
        if (!known) throw new Error('The images have not been looked at.')
        const values = valuesOf(exchange.body)
        return planImageAttempt(exchange, await prepare(exchange, known), {
          ...parts,
          services,
          values,
          due: dueOfEdit(values, known.model),
          events: 'image_edit',
        })
      },
    },
  })
}

/** What was found out about a call before it is sent. */
interface Checked {
  readonly model: ChosenModel
  readonly pictures: Pictures<CheckedPicture>
}

function replaced(outbound: Outbound, type: string, body: Outbound['body']): Outbound {
  return { ...outbound, headers: { ...outbound.headers, 'content-type': type }, body }
}
