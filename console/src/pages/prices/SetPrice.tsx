import { act } from '../../api/acts.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { decimal, optionalText, textOf } from '../../ui/form.ts'
import { SetPrice as SetPriceMutation } from './operations.generated.ts'
import { type PriceRow, ratesInput } from './price.ts'
import { type RateName, rateNames } from './rates.ts'

/** What the form of a new price has when it opens. */
export interface PriceStart {
  readonly model?: string
  readonly accountId?: string
}

/** A price that the store has already is a conflict, which shows it. */
const noPrice = { version: 0, isFree: false }

/** Sets the price of a model in the store: it goes before the file and the published ones. */
export function SetPrice({
  price,
  start = {},
  onClose,
  onDone,
}: {
  /** What the form begins with: a price of the store is changed, another one is overridden. */
  readonly price?: PriceRow | undefined
  readonly start?: PriceStart
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const isChange = price?.origin === 'STORE'
  return (
    <ActDialog
      onClose={onClose}
      onDone={onDone}
      of={isChange ? price : noPrice}
      isWide
      title={price ? `Set the price of ${price.model}` : 'Set a price'}
      verb="Set"
      effect="In US dollars for a million tokens. It is for calls that end from now on; an empty rate is not known, and 0 is free."
      run={(form, reason, expected) => {
        const rates = Object.fromEntries(
          (Object.keys(rateNames) as RateName[]).flatMap((name) => {
            const text = textOf(form, name)
            return text === '' ? [] : [[name, text]]
          }),
        )
        const { from } = price ?? {}
        return act(SetPriceMutation, {
          input: {
            model: price?.model ?? textOf(form, 'model'),
            ...optionalText('provider', textOf(form, 'provider')),
            ...optionalText('accountId', textOf(form, 'accountId')),
            ...optionalText('search', textOf(form, 'search')),
            rates,
            ...(price && {
              units: price.units.map(({ unit, kind, amount }) => ({
                unit,
                amount,
                ...optionalText('kind', kind ?? undefined),
              })),
              over: price.over.map(({ inputTokens, rates }) => ({
                inputTokens,
                rates: ratesInput(rates),
              })),
              tiers: price.tiers.map(({ tier, factor, factors }) => ({
                tier,
                ...(factor !== null && factor !== undefined && { factor }),
                ...(factors && { factors: ratesInput(factors) }),
              })),
            }),
            ...(isChange && from && { from }),
            ...expected,
            ...optionalText('reason', reason),
          },
        })
      }}
      done={({ warnings }) => ({ text: 'The price is set.', warnings })}
    >
      {!price && (
        <Field
          label="Model"
          name="model"
          required
          isMono
          defaultValue={start.model}
          hint="The own name that accounts have for it."
        />
      )}
      <div className="form-pair">
        <Field
          label="Only accounts of the provider"
          name="provider"
          isMono
          placeholder="all"
          defaultValue={price?.provider ?? ''}
          readOnly={isChange}
        />
        <Field
          label="Only the account"
          name="accountId"
          isMono
          placeholder="all"
          defaultValue={price?.accountId ?? start.accountId ?? ''}
          readOnly={isChange}
        />
      </div>
      <div className="form-pair">
        {(Object.keys(rateNames) as RateName[]).map((name) => (
          <Field
            key={name}
            label={rateNames[name]}
            name={name}
            {...decimal}
            defaultValue={price?.rates?.[name] ?? ''}
          />
        ))}
        <Field label="A web search" name="search" {...decimal} defaultValue={price?.search ?? ''} />
      </div>
    </ActDialog>
  )
}
