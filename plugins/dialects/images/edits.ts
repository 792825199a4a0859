import type { RequestBody } from '../../../src/contract/body.ts'
import { jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import { removeField, insertModel } from '../../../src/body/edits.ts'
import { resolveModel } from '../../../src/kit/models.ts'
import type { Outbound } from '../../../src/contract/attempt.ts'
import { enterCall } from '../../../src/exchange/record.ts'
import { planImageAttempt, imageRequestOf } from './plan.ts'
import { checkEdit } from './check-values.ts'
import { checkImages } from './check-images.ts'
import { countOfImages, editReplyField, imageCall, omittedFields } from './call.ts'
import { isPlainForm, rewriteForm } from './form-body.ts'
import { imagesOfForm } from './form-images.ts'
import { isPlainJson, rewriteJson } from './json-body.ts'
import { imagesOfJson } from './json-images.ts'
import type { ChosenModel } from './models.ts'
import type { ImageParts } from './parts.ts'
import type { CheckedImage, InputImages } from './input-images.ts'
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
    const untold = omittedFields(model, models.isLegacy(upstreamModel))
    const edited = () =>
      imageRequestOf(exchange, path, [
        ...(call.modelAt ? [] : [insertModel(body, upstreamModel)]),
        ...untold.flatMap((name) => removeField(body, name)),
      ])
    const told = { model: upstreamModel, untold, files, caller }
    if (body.form) {
      if (isPlainForm(pictures)) return edited()
      const { type, body: rewritten } = rewriteForm({ ...told, form: body.form, pictures })
      return replaced(imageRequestOf(exchange, path), type, rewritten)
    }
    if (isPlainJson(body.json, pictures)) return edited()
    const rewritten = await rewriteJson(body.json, pictures, { ...told, exchange })
    return replaced(imageRequestOf(exchange, path), 'application/json', rewritten)
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
        ? await imagesOfForm(body.form, files, exchange.caller)
        : await imagesOfJson(body.json, files, exchange.caller)
      checked.set(body, { model, pictures: await checkImages(given, model) })
      return call
    },
    forward: {
      billed: 'reply',
      async plan(exchange, services) {
        const known = checked.get(exchange.body)
        if (!known) throw new Error('The images have not been looked at.')
        const values = valuesOf(exchange.body)
        return planImageAttempt(exchange, await prepare(exchange, known), {
          ...parts,
          services,
          values,
          due: editReplyField(values, known.model),
          events: 'image_edit',
        })
      },
    },
  })
}

/** What was found out about a call before it is sent. */
interface Checked {
  readonly model: ChosenModel
  readonly pictures: InputImages<CheckedImage>
}

function replaced(outbound: Outbound, type: string, body: Outbound['body']): Outbound {
  return { ...outbound, headers: { ...outbound.headers, 'content-type': type }, body }
}
