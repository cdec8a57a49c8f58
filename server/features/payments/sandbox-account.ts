import { readFileSync } from 'node:fs'
import { addressLine, type Shop } from '#domain/shop/shop.ts'
import type { Account, Branding } from '@local/stripe-sandbox'

/** Converts the shop's details to the settings of the Stripe account that the payment sandbox simulates. */
export function toSandboxAccount(shop: Shop, branding?: Branding): Account {
  return {
    businessName: shop.name,
    supportAddress: addressLine(shop),
    statementDescriptor: statementDescriptor(shop.name),
    invoicePrefix: 'TT',
    timeZone: shop.timeZone,
    ...(branding && { branding }),
  }
}

/**
 * The text on card statements: at most 22 characters, without < > \ ' " *
 * (docs.stripe.com/get-started/account/statement-descriptors).
 */
function statementDescriptor(name: string): string {
  return name
    .replaceAll(/[<>\\'"*]/g, '')
    .toUpperCase()
    .slice(0, 22)
}

/** Reads the colors and the logo of the site from its source files, so that the payment sandbox needs no web build. */
export function readSandboxBranding(): Branding {
  return {
    icon: readFileSync(new URL(import.meta.resolve('#web/public/favicon.svg')), 'utf8'),
    logo: brandMark,
    font: readFileSync(new URL(import.meta.resolve('#web/fonts/archivo-site.woff2'))),
  }
}

/** The logo of web/ui/brand/brand.tsx in the colors of the sandbox's pages. */
const brandMark = `<svg viewBox="0 0 40 40" aria-hidden="true">
  <path d="M35.2 28.8 20 37.5 4.8 28.8V11.2L20 2.5l15.2 8.7Z" fill="var(--ink)" />
  <circle cx="20" cy="20" r="10.5" fill="none" stroke="var(--ground)" stroke-width="1.6" opacity=".55" />
  <path d="M14.2 40 25.8 0" stroke="var(--ground)" stroke-width="10.5" />
  <path d="M14.2 40 25.8 0" stroke="var(--accent)" stroke-width="6.5" />
</svg>`
