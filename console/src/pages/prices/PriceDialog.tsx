import { useState } from 'react'

import { act } from '../../api/acts.ts'
import { useWhyNot } from '../../api/session.ts'
import { priceOf } from '../../format/money.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Time } from '../../ui/Time.tsx'
import { optionalText } from '../../ui/form.ts'
import { RemovePrice } from './operations.generated.ts'
import { type PriceRow, originText, unitNames } from './price.ts'
import { knownRates } from './rates.ts'
import { SetPrice } from './SetPrice.tsx'

/** All that is known of a price, and its acts. */
export function PriceDialog({
  price,
  onClose,
  onDone,
}: {
  readonly price: PriceRow
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const [open, setOpen] = useState<'set' | 'remove'>()
  const whyNot = useWhyNot('setPrice')
  if (open === 'set') return <SetPrice price={price} onClose={onClose} onDone={onDone} />
  if (open === 'remove') return <Remove price={price} onClose={onClose} onDone={onDone} />
  const {
    model,
    provider,
    accountId,
    accountIds,
    rates,
    over,
    tiers,
    search,
    units,
    from,
    isFree,
  } = price
  return (
    <Dialog isOpen isWide onClose={onClose} title={<span className="mono">{model}</span>}>
      <Definition
        items={[
          ['From', originText(price)],
          ['For', forText(provider, accountId)],
          ['Enabled accounts with it', accountIds.join(', ') || 'none'],
          !!from && ['Begins', <Time key="from" at={from} />],
          !!price.changedBy && ['Set by', price.changedBy],
          !!price.changedAt && ['Set at', <Time key="at" at={price.changedAt} />],
          isFree && ['Calls', 'cost nothing'],
          ...knownRates(rates ?? {}).map(([name, rate]) => [name, perMillion(rate)] as const),
          search !== null && search !== undefined && (['A web search', priceOf(search)] as const),
          ...units.map(
            ({ unit, kind, amount }) => [unitText(unit, kind), priceOf(amount)] as const,
          ),
          ...over.map(
            ({ inputTokens, rates }) =>
              [
                `Prompts over ${inputTokens.toLocaleString('en')} tokens`,
                knownRates(rates)
                  .map(([name, rate]) => `${name.toLowerCase()} ${perMillion(rate)}`)
                  .join(', '),
              ] as const,
          ),
          ...tiers.map(
            ({ tier, factor, factors }) =>
              [
                `Tier ${tier}`,
                factor
                  ? `x ${factor}`
                  : knownRates(factors ?? {})
                      .map(([name, rate]) => `${name.toLowerCase()} x ${rate}`)
                      .join(', '),
              ] as const,
          ),
        ]}
      />
      <div className="dialog-acts">
        <Button onClick={onClose}>Close</Button>
        {price.origin === 'STORE' && (
          <Button kind="danger" whyNot={whyNot} onClick={() => setOpen('remove')}>
            Remove
          </Button>
        )}
        <Button whyNot={whyNot} onClick={() => setOpen('set')}>
          {price.origin === 'STORE' ? 'Change' : 'Set another price'}
        </Button>
      </div>
    </Dialog>
  )
}

function Remove({
  price,
  ...rest
}: {
  readonly price: PriceRow
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const { model, provider, accountId, from } = price
  return (
    <ActDialog
      {...rest}
      of={price}
      title={`Remove the price of ${model}`}
      verb="Remove"
      isDangerous
      reason="required"
      effect="Prices of the configuration file and published ones apply again, to calls that end from now on."
      run={(_, reason = '', expected) =>
        act(RemovePrice, {
          input: {
            model,
            reason,
            ...optionalText('provider', provider ?? undefined),
            ...optionalText('accountId', accountId ?? undefined),
            ...optionalText('from', from ?? undefined),
            ...expected,
          },
        })
      }
      done={() => ({ text: `The price of ${model} is removed.`, target: model })}
    />
  )
}

function unitText(unit: PriceRow['units'][number]['unit'], kind?: string | null): string {
  const name = unitNames[unit]
  return kind ? `${name}, ${kind}` : name
}

function perMillion(rate: number | string): string {
  return `${priceOf(rate)} per million`
}

function forText(provider?: string | null, accountId?: string | null): string {
  if (accountId) return `the account ${accountId}`
  return provider ? `accounts of ${provider}` : 'all accounts'
}
