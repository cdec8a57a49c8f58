-- The initial rows of a new shop, inserted once into a new database.

insert into public.services (name, description, duration_minutes) values
  ('Oil Change', 'Fresh synthetic oil and filter, fluids topped up, tire pressures set.', 45),
  ('Brake Job', 'Pads and rotors on one axle, sliders cleaned, road test included.', 90),
  ('Multipoint Inspection', 'Forty points from lights to suspension, with photos and a written list.', 60),
  ('Tune-Up', 'Spark plugs, filters and throttle body, idle and timing checked.', 120),
  ('A/C Service', 'Leak check, recharge to the marked weight, vent temperature measured.', 75),
  ('Battery Test', 'Battery, starter and alternator under load, with a printed result.', 30),
  ('Engine Diagnostics', 'Codes read, the suspected part tested, and what we found explained.', 75),
  ('Pre-Purchase Inspection', 'Body, engine, electronics and a road test before you buy.', 90),
  ('Scheduled Maintenance', 'The items your maker lists for this mileage, stamped in your book.', 120),
  ('Tire Rotation and Alignment', 'Tires rotated and balanced, four-wheel alignment with a printout.', 75),
  ('Transmission Service', 'Fluid and filter, shift quality tested cold and warm.', 120)
on conflict (name) do nothing;

insert into public.employees (name, email) values
  ('Ana Reyes', 'ana@torqueandtiming.example'),
  ('Ben Novak', 'ben@torqueandtiming.example'),
  ('Chidi Obi', 'chidi@torqueandtiming.example')
on conflict (email) do nothing;
