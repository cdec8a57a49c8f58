set local search_path = pg_catalog;

ALTER TABLE "internal"."onboarding" DROP CONSTRAINT "onboarding_confirmed_steps_are_known";

ALTER TABLE "internal"."onboarding" ADD CONSTRAINT "onboarding_confirmed_steps_are_known" CHECK ((confirmed_steps <@ ARRAY['hours'::text, 'bays'::text, 'services'::text, 'labor'::text, 'tax'::text]));
